import { fromBase64Url, toBase64Url, utf8Bytes, utf8Text } from '../bytes.ts'
import { isRecord, isTextList, parseJson, type UnknownRecord } from '../parse.ts'

/** What a signer allows whoever asked for the signature, in the details object of EIP-5573. */
export type Recap = {
  /** The allowed actions by resource. */
  readonly att: { readonly [resource: string]: Abilities }
  /** The content ids of the capabilities that this one rests on. */
  readonly prf?: readonly string[]
}

/** Actions such as `request/personal_sign`, each with the ways in which it may be used; none at all is never. */
export type Abilities = { readonly [ability: string]: readonly UnknownRecord[] }

const scheme = 'urn:recap:'
const preamble = 'I further authorize the stated URI to perform the following actions on my behalf:'
const abilityPattern = /^[a-zA-Z0-9.*_+-]+\/[a-zA-Z0-9.*_+-]+$/

/** Writes a ReCap as the resource of a sign-in message (EIP-5573), its keys in order. */
export function encodeRecap(recap: Recap): string {
  return scheme + toBase64Url(utf8Bytes(JSON.stringify(ordered(recap))))
}

/** Reads the resource of a sign-in message; nothing when it is not a ReCap. Brings its keys in order. */
export function decodeRecap(resource: string): Recap | undefined {
  if (!resource.startsWith(scheme)) return undefined
  try {
    return readRecap(parseJson(utf8Text(fromBase64Url(resource.slice(scheme.length)))))
  } catch {
    return undefined
  }
}

/** The ReCap of a sign-in message: EIP-5573 lets it stand only at the end of the resources. */
export function recapOf(resources: readonly string[]): Recap | undefined {
  return decodeRecap(resources.at(-1) ?? '')
}

/** Allows what either of two ReCaps allows. */
export function mergeRecaps(one: Recap, other: Recap): Recap {
  const resources = [...Object.keys(one.att), ...Object.keys(other.att)]
  const att = Object.fromEntries(
    resources.map((resource) => [resource, mergeAbilities(one.att[resource] ?? {}, other.att[resource] ?? {})]),
  )
  const proofs = [...(one.prf ?? []), ...(other.prf ?? [])]
  return ordered(proofs.length === 0 ? { att } : { att, prf: proofs })
}

/**
 * Says in English what a ReCap allows, as EIP-5573 wants it at the end of the statement.
 *
 * @example recapSentence({ att: { eip155: { 'request/personal_sign': [{}] } } })
 * // "I further authorize … on my behalf: (1) 'request': 'personal_sign' for 'eip155'."
 */
export function recapSentence(recap: Recap): string {
  const clauses = Object.entries(ordered(recap).att).flatMap(([resource, abilities]) =>
    [...namesByKind(abilities)].map(([kind, names]) => `'${kind}': ${names.join(', ')} for '${resource}'.`),
  )
  return [preamble, ...clauses.map((clause, index) => `(${index + 1}) ${clause}`)].join(' ')
}

function namesByKind(abilities: Abilities): ReadonlyMap<string, readonly string[]> {
  const kinds = new Map<string, string[]>()
  for (const ability of Object.keys(abilities)) {
    const slash = ability.indexOf('/')
    const kind = ability.slice(0, slash)
    kinds.set(kind, [...(kinds.get(kind) ?? []), `'${ability.slice(slash + 1)}'`])
  }
  return kinds
}

function mergeAbilities(one: Abilities, other: Abilities): Abilities {
  const abilities = [...Object.keys(one), ...Object.keys(other)]
  return Object.fromEntries(abilities.map((ability) => [ability, [...(one[ability] ?? []), ...(other[ability] ?? [])]]))
}

function readRecap(value: unknown): Recap | undefined {
  if (!isRecord(value) || !isRecord(value.att)) return undefined
  const { att, prf } = value
  const isSound = Object.values(att).every(isAbilities) && (prf === undefined || isTextList(prf))
  // Each part was just looked at.
  return isSound ? ordered(value as Recap) : undefined
}

function isAbilities(value: unknown): boolean {
  if (!isRecord(value)) return false
  return Object.entries(value).every(
    ([ability, uses]) => abilityPattern.test(ability) && Array.isArray(uses) && uses.every(isRecord),
  )
}

function ordered({ att, prf }: Recap): Recap {
  const inOrder = byKey(
    Object.entries(att).map(([resource, abilities]) => [resource, byKey(Object.entries(abilities))]),
  )
  return prf === undefined ? { att: inOrder } : { att: inOrder, prf }
}

/** By the value of the code units: EIP-5573 names the order of JavaScript's own sort. */
function byKey<value>(entries: ReadonlyArray<readonly [string, value]>): { readonly [key: string]: value } {
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
