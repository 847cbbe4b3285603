/** A JSON-RPC error. */
export class JsonRpcError extends Error {
  override readonly name: string = 'JsonRpcError'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** Handles a method; the parameters are positional and not validated yet. */
export type Method = (params: readonly unknown[]) => unknown

export type Methods = { readonly [method: string]: Method }

/** A parsed request; without an id it is a notification. */
type Request = { id: unknown; method: string; params: readonly unknown[] }

/**
 * Handles a JSON-RPC body, a single request or a batch.
 *
 * @returns the response body
 */
export async function handleJsonRpc(text: string, methods: Methods): Promise<string> {
  const value = parseJson(text)
  if (!Array.isArray(value)) return formatJson(await respondToOne(value, methods))
  return formatJson(await Promise.all(value.map((each) => respondToOne(each, methods))))
}

/** Formats amounts as numbers, as nodes do. Amounts above 2^53 lose their last digits. */
export function formatJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? Number(each) : each))
}

/** Returns the value if it is an object, else an empty object. */
export function readRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

async function respondToOne(value: unknown, methods: Methods): Promise<object> {
  const { id, method, params } = readRequest(value)
  try {
    const response = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (response === undefined) throw new JsonRpcError(-32_601, `Method not found: ${method}`)
    return { jsonrpc: '2.0', id, result: (await response(params)) ?? null }
  } catch (error) {
    const failure =
      error instanceof JsonRpcError ? error : new JsonRpcError(-32_603, `Internal error: ${String(error)}`)
    return { jsonrpc: '2.0', id, error: { code: failure.code, message: failure.message, data: failure.data } }
  }
}

function readRequest(value: unknown): Request {
  const { id = null, method, params } = readRecord(value)
  return { id, method: typeof method === 'string' ? method : '', params: Array.isArray(params) ? params : [] }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
