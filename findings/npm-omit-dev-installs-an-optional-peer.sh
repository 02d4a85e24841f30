#!/usr/bin/env bash
# `npm ci --omit=dev` installs a development dependency if it is an optional peer of a dependency.
#
# Guess: a package that only devDependencies name is left out. An optional peer is not necessary, so npm has no reason to install it for
#   production.
# Seen: valibot 1.5.0 has TypeScript as an optional peer. As soon as it is a dependency, npm 11.19 marks TypeScript 7.0.2 as `devOptional`
#   in the lockfile and installs it with --omit=dev; --omit=peer does not help. Under an alias TypeScript is left out.
# Why it matters here: 31 of the 235 MB of the image were a compiler that never runs there, and every scan of the image lists it.
#   package.json therefore names it `tsc`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Prints whether --omit=dev installs TypeScript, which devDependencies name `$1` with the version `$2`.
installed() {
  mkdir "$folder/$1" && cd "$folder/$1"
  printf '{"name":"app","version":"1.0.0","dependencies":{"valibot":"1.5.0"},"devDependencies":{"%s":"%s"}}' "$1" "$2" > package.json
  npm install --silent --no-audit --no-fund --package-lock-only
  npm ci --silent --no-audit --no-fund --omit=dev --omit=peer
  if [ -d "node_modules/$1" ]; then echo yes; else echo no; fi
}
by_name=$(installed typescript 7.0.2)
by_alias=$(installed tsc npm:typescript@7.0.2)
echo "npm $(npm --version), --omit=dev: typescript is installed: $by_name; as tsc: $by_alias"
[ "$by_name $by_alias" = 'yes no' ] || { echo 'This is not what was seen.'; exit 1; }
