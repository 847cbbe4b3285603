import { Problem } from './problem.ts'

const limits = { depth: 32, keys: 1_000 } as const

/** A string with its quotes, a bracket, a colon, or another token. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]|[^\s{}[\]:,"]+/g

/**
 * Parses untrusted JSON: no duplicate key in an object, no `__proto__`, at most 32 levels and 1,000 keys. Otherwise two
 * parsers could read two different requests from the same text.
 *
 * @param most a higher limit of keys
 * @throws Problem 400
 */
export function parseJson(text: string, most: { keys: number } = limits): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new Problem(400, '', 'The body is not JSON.', { cause })
  }
  checkTokens(text, most.keys)
  return value
}

/** Checks the tokens of valid JSON. */
function checkTokens(text: string, mostKeys: number): void {
  const open: Set<string>[] = []
  let keys = 0
  let last = ''
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') open.push(new Set())
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') {
      keys += 1
      checkKey(JSON.parse(last), open.at(-1))
    }
    if (open.length > limits.depth) throw new Problem(400, '', `The body is nested deeper than ${limits.depth}.`)
    if (keys > mostKeys) throw new Problem(400, '', `The body has more than ${mostKeys} keys.`)
    last = token
  }
}

function checkKey(key: unknown, taken: Set<string> | undefined): void {
  if (typeof key !== 'string' || taken === undefined) return
  if (key === '__proto__') throw new Problem(400, '', 'The body has a key that is not allowed.')
  if (taken.has(key)) throw new Problem(400, '', 'The body has a key twice in one object.')
  taken.add(key)
}
