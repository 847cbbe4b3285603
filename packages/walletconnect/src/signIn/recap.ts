import { fromBase64Url, toBase64Url, encodeUtf8, decodeUtf8 } from '../crypto/bytes.ts'
import { isUnknownRecord, isStringList, tryParseJson, type UnknownRecord } from '../primitives/unknownRecord.ts'

/** The capabilities that a signer grants: the details object of EIP-5573. */
export type Recap = {
  /** The allowed actions by resource. */
  readonly att: { readonly [resource: string]: Abilities }
  /** The content ids of parent capabilities. */
  readonly prf?: readonly string[]
}

/** Actions such as `request/personal_sign`, each with its constraints. An action without any is never allowed. */
export type Abilities = { readonly [ability: string]: readonly UnknownRecord[] }

const scheme = 'urn:recap:'
const preamble = 'I further authorize the stated URI to perform the following actions on my behalf:'
const abilityPattern = /^[a-zA-Z0-9.*_+-]+\/[a-zA-Z0-9.*_+-]+$/

/** Formats a ReCap as the resource of a sign-in message (EIP-5573), with sorted keys. */
export function formatRecap(recap: Recap): string {
  return scheme + toBase64Url(encodeUtf8(JSON.stringify(sortRecap(recap))))
}

/** Parses the resource of a sign-in message and sorts its keys. Returns `undefined` if it is not a ReCap. */
export function parseRecapResource(resource: string): Recap | undefined {
  if (!resource.startsWith(scheme)) return undefined
  try {
    return parseRecap(tryParseJson(decodeUtf8(fromBase64Url(resource.slice(scheme.length)))))
  } catch {
    return undefined
  }
}

/** Finds the ReCap of a sign-in message. EIP-5573 allows it only as the last resource. */
export function findRecap(resources: readonly string[]): Recap | undefined {
  return parseRecapResource(resources.at(-1) ?? '')
}

/** Merges the capabilities of two ReCaps. */
export function mergeRecaps(one: Recap, other: Recap): Recap {
  const resources = [...Object.keys(one.att), ...Object.keys(other.att)]
  const att = Object.fromEntries(
    resources.map((resource) => [resource, mergeAbilities(one.att[resource] ?? {}, other.att[resource] ?? {})]),
  )
  const proofs = [...(one.prf ?? []), ...(other.prf ?? [])]
  return sortRecap(proofs.length === 0 ? { att } : { att, prf: proofs })
}

/**
 * Formats the English sentence that EIP-5573 requires at the end of the statement.
 *
 * @example formatRecapSentence({ att: { eip155: { 'request/personal_sign': [{}] } } })
 * // "I further authorize … on my behalf: (1) 'request': 'personal_sign' for 'eip155'."
 */
export function formatRecapSentence(recap: Recap): string {
  const clauses = Object.entries(sortRecap(recap).att).flatMap(([resource, abilities]) =>
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

function parseRecap(value: unknown): Recap | undefined {
  if (!isUnknownRecord(value) || !isUnknownRecord(value.att)) return undefined
  const { att, prf } = value
  const isValid = Object.values(att).every(isAbilities) && (prf === undefined || isStringList(prf))
  // Each member was checked above.
  return isValid ? sortRecap(value as Recap) : undefined
}

function isAbilities(value: unknown): boolean {
  if (!isUnknownRecord(value)) return false
  return Object.entries(value).every(
    ([ability, uses]) => abilityPattern.test(ability) && Array.isArray(uses) && uses.every(isUnknownRecord),
  )
}

function sortRecap({ att, prf }: Recap): Recap {
  const inOrder = sortByKey(
    Object.entries(att).map(([resource, abilities]) => [resource, sortByKey(Object.entries(abilities))]),
  )
  return prf === undefined ? { att: inOrder } : { att: inOrder, prf }
}

/** Sorts by code units, the order of JavaScript's sort, as EIP-5573 requires. */
function sortByKey<value>(entries: ReadonlyArray<readonly [string, value]>): { readonly [key: string]: value } {
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
