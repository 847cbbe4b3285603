/**
 * Loads the modules of a service when the process runs it. A relay can be installed without the optional packages of the other
 * services.
 *
 * @param name the service, for the error
 * @param load imports the modules
 * @throws Error with a sentence if a package is not installed
 */
export async function loadService<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    const missing = findMissingPackage(cause)
    if (missing === undefined) throw cause
    throw new Error(
      `The service ${name} needs ${missing}: run npm install ${missing}, or leave ${name} out of SERVICES.`,
      {
        cause,
      },
    )
  }
}

/** Reads the name of a package that is not installed from the error of an import. */
function findMissingPackage(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') return undefined
  return /^Cannot find package '([^']+)'/.exec(error.message)?.[1]
}
