import { createErrors, type ErrorMaker } from '@latchkey/protocol'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'event/not-approved': { event: string }
  }
}

/** Creates an error with a code that only wallets throw. */
export const walletError: ErrorMaker<'event/not-approved'> = /* @__PURE__ */ createErrors({
  'event/not-approved': ({ event }) =>
    `The session does not contain the event ${event}. Update the session, or send an event that the app accepts.`,
})
