//! Enums that can list their members, so that code that goes through all of them cannot miss a new one.

/// Defines an enum, and `ALL` with its members in the order of the definition. With `=> "id"` behind each
/// member it gets the method `id` too.
macro_rules! enumeration {
    (@all $name:ident: $($member:ident),+) => {
        impl $name {
            /// Every member, in the order in which they are written down.
            pub const ALL: [Self; [$(stringify!($member)),+].len()] = [$(Self::$member),+];
        }
    };
    (
        $(#[$of_enum:meta])*
        $visibility:vis enum $name:ident {
            $($(#[$of_member:meta])* $member:ident => $id:literal),+ $(,)?
        }
    ) => {
        $(#[$of_enum])*
        $visibility enum $name { $($(#[$of_member])* $member),+ }
        $crate::enumeration::enumeration!(@all $name: $($member),+);
        impl $name {
            /// Its id, for people and programs.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$member => $id),+ }
            }
        }
    };
    (
        $(#[$of_enum:meta])*
        $visibility:vis enum $name:ident {
            $($(#[$of_member:meta])* $member:ident $(= $number:literal)?),+ $(,)?
        }
    ) => {
        $(#[$of_enum])*
        $visibility enum $name { $($(#[$of_member])* $member $(= $number)?),+ }
        $crate::enumeration::enumeration!(@all $name: $($member),+);
    };
}
pub(crate) use enumeration;

#[cfg(test)]
mod tests {
    enumeration! {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        enum Plain { First, Second }
    }
    enumeration! {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        enum Numbered { Seven = 7, Three = 3 }
    }
    enumeration! {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        enum Named { First => "the-first", Second => "the-second" }
    }

    #[test]
    fn all_members_are_there_in_the_order_in_which_they_are_written() {
        assert_eq!(Plain::ALL, [Plain::First, Plain::Second]);
        assert_eq!(Numbered::ALL.map(|member| member as u8), [7, 3]);
        assert_eq!(Named::ALL.map(Named::id), ["the-first", "the-second"]);
    }
}
