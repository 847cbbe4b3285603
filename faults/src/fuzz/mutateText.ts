import type { Random } from '../random.ts'

/** Texts that parsers of numbers, JSON, addresses and URIs often get wrong. */
const tokens: readonly string[] = [
  ...'0 -0 -1 1e400 9007199254740993 0x 1_0 .5 5. NaN null true [] {} __proto__ constructor'.split(' '),
  ...': :: / @ ? & # % %00 %2e %zz = .. wc: eip155:1 " \\ \\u0000'.split(' '),
  ...'٣ é 😀 İ ß \u202e \u200d \ud800 \0 \n \r\n'.split(' '),
  '',
  ' ',
  'a'.repeat(300),
]

/** Changes one of several inputs in one to four places. */
export function mutateText(inputs: readonly string[], random: Random): string {
  const pick = <value>(list: readonly value[]): value | undefined => list[random.between(0, list.length - 1)]
  let text = pick(inputs) ?? ''
  for (let change = random.between(1, 4); change > 0; change -= 1) {
    const [one, other] = [random.between(0, text.length), random.between(0, text.length)]
    const [start, end] = [Math.min(one, other), Math.max(one, other)]
    const mutations: ReadonlyArray<() => string> = [
      () => text.slice(0, start) + (pick(tokens) ?? '') + text.slice(start),
      () => text.slice(0, start) + (pick(tokens) ?? '') + text.slice(end),
      () => text.slice(0, start) + text.slice(end),
      () => text.slice(0, end) + text.slice(start),
      () => text.slice(0, start) + String.fromCharCode(random.between(0, 0xff)) + text.slice(start + 1),
      () => text.slice(0, start) + (pick(inputs) ?? '').slice(start),
    ]
    text = (pick(mutations)?.() ?? text).slice(0, 10_000)
  }
  return text
}
