cd /home/fsyncmark || exit 1
name=fsyncmark-$(uname -m)-unknown-linux-musl
sum=$(printf '%s\n' @SUMS@ | sed -n "s/  $name\$//p")
[ -n "$sum" ]
wget -q -O agent @FILES@/"$name"
echo "$sum  agent" | sha256sum -c -
chmod 0700 agent
set -- --server @SITE@ --yes
# What the volume is, as its provider calls it:
@CLAIM@
./agent run /data --suite @SUITE@ "$@" || ./agent upload --server @SITE@ --yes
