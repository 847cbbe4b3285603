/**
 * Turns an error as Rust prints it into the one that Solana's nodes tell: `InstructionError(0, Custom(1))` into
 * `{ InstructionError: [0, { Custom: 1 }] }`. The runtime gives the numbers of its own version only as text.
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
