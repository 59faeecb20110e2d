// Loaded before every program (`node --import`), in plain JavaScript: an older Node cannot read the TypeScript files at all.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Placefleet needs Node 22.18 or newer; this is Node ${process.versions.node}. ` +
      'On Linux, `npm ci` installs Node 24 and `npm start` uses it. Elsewhere, install Node 24.',
  )
  process.exit(1)
}
