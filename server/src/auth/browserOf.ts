const names = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari']
const systems = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS', 'Linux']

/** What a mail says of the browser that asked: enough for its owner to know it, and nothing in words of a stranger. */
export function browserOf(agent: string | undefined): string {
  const name = names.find((each) => agent?.includes(each))
  const system = systems.find((each) => agent?.includes(each))
  return `${name ?? 'an unknown browser'}${system === undefined ? '' : ` on ${system}`}`
}
