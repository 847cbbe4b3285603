import { isNameLabel } from './parseName.ts'

export const maxSuggestions = 5

/** Suffixes for suggested names. */
const after = [
  'key',
  'keys',
  'vault',
  'wallet',
  'home',
  'onchain',
  'pay',
  'hq',
  'world',
  'one',
  'club',
  'here',
] as const
const before = ['its', 'the', 'hey', 'call'] as const

/** Suggests labels similar to a typed one, best first. */
export function suggestLabels(typed: string): readonly string[] {
  const plain = typed.replaceAll('.', '-').replace(/^-+|-+$/g, '')
  const made = [
    ...after.map((word) => `${plain}-${word}`),
    ...before.map((word) => `${word}-${plain}`),
    ...after.map((word) => `${plain}${word}`),
    ...Array.from({ length: 20 }, (_, index) => `${plain}${index + 1}`),
  ]
  return made.filter((label) => label !== typed && isNameLabel(label))
}
