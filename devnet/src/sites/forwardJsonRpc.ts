/**
 * Forwards a JSON-RPC request to a service.
 *
 * @param find gets the URL of the service
 * @param text the body of the request
 * @returns the body of the response; an error with its sentence if the service can't be reached
 */
export async function forwardJsonRpc(find: () => Promise<string>, text: string): Promise<string> {
  try {
    const headers = { 'content-type': 'application/json' }
    return await (await fetch(await find(), { method: 'POST', headers, body: text })).text()
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The service does not respond.'
    return JSON.stringify({ jsonrpc: '2.0', id: readId(text), error: { code: -32_000, message } })
  }
}

function readId(text: string): unknown {
  try {
    return Reflect.get(Object(JSON.parse(text)), 'id') ?? null
  } catch {
    // A request without a valid id gets a response with the id null.
    return null
  }
}
