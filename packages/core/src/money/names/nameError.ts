import { createErrors, type ErrorCode, type ErrorMaker } from '@latchkey/protocol'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'name/invalid': { name: string }
    'name/invalid-receiver': { address: string }
    'name/late': object
    'name/owned': { name: string }
    'name/refused': { reason: string }
    'name/taken': { name: string }
    'name/too-many': object
    'name/unsupported': object
  }
}

export type NameCode = Extract<ErrorCode, `name/${string}`>

/** The errors of names, loaded together with the names code. */
export const nameError: ErrorMaker<NameCode> = createErrors<NameCode>({
  'name/invalid': ({ name }) =>
    `"${name}" cannot be registered: a name has at least four characters, each a letter from a to z, a digit or a hyphen.`,
  'name/invalid-receiver': ({ address }) => `"${address}" is not an address that a name can be offered to. Check it.`,
  'name/late': () => 'The approval expired. It is valid for a few seconds only. Register again and approve it at once.',
  'name/owned': ({ name }) => `You already own a name: ${name}.`,
  'name/refused': ({ reason }) => `The server did not register the name: ${reason}`,
  'name/taken': ({ name }) => `${name} is already registered. Choose another name.`,
  'name/too-many': () => 'This account registered too many names in an hour. Try again later.',
  'name/unsupported': () =>
    'Names are not available here. They require an EVM network and a server that registers names.',
})
