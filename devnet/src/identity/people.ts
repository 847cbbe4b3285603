import { createHash } from 'node:crypto'

/** Somebody with accounts at the providers of the local world. */
export type Person = {
  readonly name: string
  readonly email: string
  /** Whether the provider has asked the address. */
  readonly verified: boolean
}

/** Those that can be chosen with one click. */
export const people: readonly Person[] = [
  { name: 'Ann Lee', email: 'ann@example.org', verified: true },
  { name: 'Ben Okoro', email: 'ben@example.org', verified: true },
]

/** What a provider calls a person: always the same at one, another at each. */
export function subjectOf(provider: string, { email }: Person): string {
  // Twelve digits: some of the real ones are numbers that JavaScript still counts.
  const number = createHash('sha256').update(`${provider}\0${email}`).digest().readUIntBE(0, 5)
  return String(number)
}

/** How a person is called where names have no spaces. */
export function handleOf({ name }: Person): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '')
}

/** Reads who filled in the page; undefined for who did not allow it. */
export function readDecision(form: URLSearchParams): Person | undefined {
  if (form.get('decision') === 'deny') return undefined
  const known = people.find(({ email }) => email === form.get('person'))
  if (known !== undefined) return known
  const [name, email] = [form.get('name') ?? '', form.get('email') ?? '']
  return { name: name === '' ? 'Nameless' : name, email, verified: form.get('verified') === 'on' }
}
