/** An error as JSON-RPC tells it. */
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

/** Answers a method; parameters are positional and unread. */
export type Method = (params: readonly unknown[]) => unknown

export type Methods = { readonly [method: string]: Method }

/** A request that was read; without an id nobody waits for the answer. */
type Request = { id: unknown; method: string; params: readonly unknown[] }

/**
 * Answers a JSON-RPC text, one request or a batch.
 *
 * @returns the text to answer with
 */
export async function answerJsonRpc(text: string, methods: Methods): Promise<string> {
  const asked = parse(text)
  if (!Array.isArray(asked)) return write(await answerOne(asked, methods))
  return write(await Promise.all(asked.map((each) => answerOne(each, methods))))
}

/** Writes amounts as numbers, as nodes do; those beyond what a double holds lose their last digits here. */
export function write(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? Number(each) : each))
}

/** Reads an object; an empty one when it is none. */
export function readRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

async function answerOne(asked: unknown, methods: Methods): Promise<object> {
  const { id, method, params } = readRequest(asked)
  try {
    const answer = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (answer === undefined) throw new JsonRpcError(-32_601, `Method not found: ${method}`)
    return { jsonrpc: '2.0', id, result: (await answer(params)) ?? null }
  } catch (error) {
    const told = error instanceof JsonRpcError ? error : new JsonRpcError(-32_603, `Internal error: ${String(error)}`)
    return { jsonrpc: '2.0', id, error: { code: told.code, message: told.message, data: told.data } }
  }
}

function readRequest(asked: unknown): Request {
  const { id = null, method, params } = readRecord(asked)
  return { id, method: typeof method === 'string' ? method : '', params: Array.isArray(params) ? params : [] }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
