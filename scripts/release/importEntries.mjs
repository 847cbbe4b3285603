// node importEntries.mjs ENTRY …: imports the entries of installed packages, and prints those that fail. Runs in a copy.
const failures = []
for (const entry of process.argv.slice(2)) {
  try {
    const { length } = Object.keys(await import(entry))
    if (length === 0) failures.push(`${entry}: exports nothing`)
  } catch (error) {
    failures.push(`${entry}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
for (const failure of failures) console.log(failure)
process.exit(failures.length > 0 ? 1 : 0)
