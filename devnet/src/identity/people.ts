import { createHash } from 'node:crypto'

/** A person with accounts at the providers of the local world. */
export type Person = {
  readonly name: string
  readonly email: string
  /** True if the provider has verified the address. */
  readonly verified: boolean
}

/** The people that can be chosen with one click. */
export const people: readonly Person[] = [
  { name: 'Ann Lee', email: 'ann@example.org', verified: true },
  { name: 'Ben Okoro', email: 'ben@example.org', verified: true },
]

/** The subject id of a person: stable at one provider, different at each. */
export function subjectOf(provider: string, { email }: Person): string {
  // Twelve digits, because some providers use numbers below 2^53.
  const number = createHash('sha256').update(`${provider}\0${email}`).digest().readUIntBE(0, 5)
  return String(number)
}

/** A user name without spaces. */
export function handleOf({ name }: Person): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '')
}

/** Parses the form of the consent page; `undefined` if the user denied the login. */
export function readDecision(form: URLSearchParams): Person | undefined {
  if (form.get('decision') === 'deny') return undefined
  const known = people.find(({ email }) => email === form.get('person'))
  if (known !== undefined) return known
  const [name, email] = [form.get('name') ?? '', form.get('email') ?? '']
  return { name: name === '' ? 'Nameless' : name, email, verified: form.get('verified') === 'on' }
}
