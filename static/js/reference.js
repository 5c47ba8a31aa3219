// Draws the reference of the API in the colours and the type of the site.
"use strict";

const place = document.querySelector("[data-openapi]");

// The one image that Redoc makes is a logo from its maker's host: no option leaves it out, and the
// policy of the site refuses it.
const create = document.createElement.bind(document);
document.createElement = (name, options) => create(name === "img" ? "span" : name, options);

// Redoc computes shades, which it can of rgb() alone.
const colour = (name) => {
  place.style.color = `var(${name})`;
  return getComputedStyle(place).color;
};

const draw = () => {
  const [ink, dim, panel, band, rule, cool, page] =
    ["--ink", "--dim", "--panel", "--band", "--rule", "--cool", "--bg"].map(colour);
  place.style.color = "";
  const words = getComputedStyle(document.body).fontFamily;
  const figures = getComputedStyle(document.documentElement).getPropertyValue("--figures");
  const code = { fontFamily: figures, fontSize: "13px", backgroundColor: band, color: ink };
  const theme = {
    colors: {
      primary: { main: cool, contrastText: page },
      text: { primary: ink, secondary: dim },
      border: { dark: rule, light: rule },
      gray: { 50: panel, 100: band },
    },
    schema: { nestedBackground: panel, typeNameColor: dim, typeTitleColor: dim, linesColor: rule },
    typography: { fontFamily: words, headings: { fontFamily: words }, code, links: { color: cool } },
    sidebar: { backgroundColor: page, textColor: ink, activeTextColor: cool },
    // Redoc's colours of samples are for a dark ground alone.
    rightPanel: { backgroundColor: "#101316", textColor: "#eceeec", width: "36%" },
    codeBlock: { backgroundColor: "#1b2126" },
  };
  const options = {
    theme,
    disableSearch: true, // its worker would need a policy of its own
    hideDownloadButtons: true,
    nativeScrollbars: true,
    hideSecuritySection: true,
    scrollYOffset: "header",
  };
  window.Redoc.init(place.dataset.openapi, options, place);
};

draw();
