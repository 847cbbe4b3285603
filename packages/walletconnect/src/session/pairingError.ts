import { createErrors, type ErrorMaker } from '@latchkey/protocol'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'pairing/expired': object
    'pairing/invalid': { reason: string }
  }
}

/** Creates an error of a pairing URI. */
export const pairingError: ErrorMaker<'pairing/expired' | 'pairing/invalid'> = /* @__PURE__ */ createErrors({
  'pairing/expired': () => 'This pairing link has expired. Create a new one and scan it within four minutes.',
  'pairing/invalid': ({ reason }) => `This pairing link is invalid: ${reason}.`,
})
