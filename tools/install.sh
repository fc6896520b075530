# Installs the packages that bun.lock names, also where Bun itself comes from npm. The scripts of package.json run it first.
if command -v bun >/dev/null; then
  bun install --frozen-lockfile --silent
else
  npx -y bun@1.4.5 install --frozen-lockfile --silent
fi
