import { Problem } from './problem.ts'

const limits = { depth: 32, keys: 1_000 } as const

/** A text with its quotes, a bracket or colon, or anything else between separators. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]|[^\s{}[\]:,"]+/g

/**
 * Reads JSON that a stranger sent: no key twice in one object, no `__proto__`, not deeper than 32, not more than 1,000
 * keys. Two readers of one text could otherwise understand two different requests.
 *
 * @param most how many keys it may have where that is not enough
 * @throws Problem 400 that says what is wrong
 */
export function parseJson(text: string, most: { keys: number } = limits): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new Problem(400, '', 'The body is not JSON.', { cause })
  }
  examine(text, most.keys)
  return value
}

/** Walks the tokens of a text that is JSON already. */
function examine(text: string, mostKeys: number): void {
  const open: Set<string>[] = []
  let keys = 0
  let last = ''
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') open.push(new Set())
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') {
      keys += 1
      takeKey(JSON.parse(last), open.at(-1))
    }
    if (open.length > limits.depth) throw new Problem(400, '', `The body is nested deeper than ${limits.depth}.`)
    if (keys > mostKeys) throw new Problem(400, '', `The body has more than ${mostKeys} keys.`)
    last = token
  }
}

function takeKey(key: unknown, taken: Set<string> | undefined): void {
  if (typeof key !== 'string' || taken === undefined) return
  if (key === '__proto__') throw new Problem(400, '', 'The body has a key that is not allowed.')
  if (taken.has(key)) throw new Problem(400, '', 'The body has a key twice in one object.')
  taken.add(key)
}
