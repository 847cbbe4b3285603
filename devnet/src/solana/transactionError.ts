/**
 * Converts an error from Rust's debug format into that of Solana's nodes: `InstructionError(0, Custom(1))` into
 * `{ InstructionError: [0, { Custom: 1 }] }`. The runtime exposes error numbers only as text.
 */
export function readTransactionError(printed: string): unknown {
  let rest = printed.trim()

  function value(): unknown {
    const [word = ''] = /^\w+|^"[^"]*"/.exec(rest) ?? []
    rest = rest.slice(word.length).trimStart()
    if (/^\d+$/.test(word)) return Number(word)
    if (word.startsWith('"')) return word.slice(1, -1)
    if (rest.startsWith('(')) {
      const members = list(')', value)
      return { [word]: members.length === 1 ? members[0] : members }
    }
    if (rest.startsWith('{')) return { [word]: Object.fromEntries(list('}', field)) }
    return word
  }

  function field(): [string, unknown] {
    const [, name = ''] = /^(\w+):\s*/.exec(rest) ?? []
    rest = rest.replace(/^\w+:\s*/, '')
    return [name, value()]
  }

  function list<item>(end: string, next: () => item): item[] {
    const items: item[] = []
    do {
      rest = rest.slice(1).trimStart()
      items.push(next())
    } while (rest.startsWith(','))
    rest = rest.startsWith(end) ? rest.slice(1).trimStart() : ''
    return items
  }

  return value()
}
