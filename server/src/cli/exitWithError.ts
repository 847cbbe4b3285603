/** Prints the sentence of an error and ends the process with code 1. */
export function exitWithError(error: unknown): never {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
