/** A check of the share store at the auth service. */
export type AuthServiceCheck = {
  /** The base URL of the auth service, and the path of the endpoint. */
  readonly url: string
  readonly path: string
  readonly body: object
  /** The boolean of the response. */
  readonly field: string
}

const timeoutMs = 5_000

/**
 * Asks the auth service in another process. Nothing is cached.
 *
 * @throws Error if it can't be reached, refuses, or responds with something else
 */
export async function askAuthService({ url, path, body, field }: AuthServiceCheck): Promise<boolean> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const content: unknown = await response.json()
  const value: unknown = typeof content === 'object' && content !== null ? Reflect.get(content, field) : undefined
  if (!response.ok || typeof value !== 'boolean') throw new Error(`The auth service returned ${response.status}.`)
  return value
}
