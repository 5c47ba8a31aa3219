# The daily dump in R, by its CSV files and nothing but base R: download them of https://YOUR.SITE/data/
# into a folder. Rscript standings.R
folder <- Sys.getenv("FSYNCMARK_DUMP", "dump")
runs <- read.csv(gzfile(file.path(folder, "runs.csv.gz")))
cells <- read.csv(gzfile(file.path(folder, "cells.csv.gz")))

# durable commits a second of each plan: one value an uploader, then their weighted median
counted <- subset(cells, subject == "plan" & workload == "commit-8k" & excluded_by == "")
counted <- merge(counted, runs[c("run", "workload", "version", "rate_per_s")])
counted$x <- log(counted$rate_per_s)
machines <- aggregate(x ~ slug + region_group + variant + uploader + weight + machine, counted, median)
uploaders <- aggregate(x ~ slug + region_group + variant + uploader + weight, machines, median)
weighted_median <- function(of) {
  of <- of[order(of$x), ]
  share <- cumsum(of$weight) / sum(of$weight)
  exp((of$x[which(share >= 0.5 - 1e-9)[1]] + of$x[which(share > 0.5 + 1e-9)[1]]) / 2)
}
key <- interaction(uploaders$slug, uploaders$region_group, uploaders$variant, drop = TRUE)
print(head(sort(sapply(split(uploaders, key), weighted_median), decreasing = TRUE), 10))
