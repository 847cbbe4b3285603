import { createErrors, type LatchkeyError } from '@latchkey/protocol'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'appkit/networks-missing': { namespace: string }
  }
}

const appKitError = createErrors({
  'appkit/networks-missing': ({ namespace }) =>
    `Add a network of the namespace "${namespace}" to the networks of createAppKit, or leave out its adapter.`,
})

/** Creates the error for an adapter without networks. */
export function networksMissing(namespace: string): LatchkeyError {
  return appKitError('appkit/networks-missing', { namespace })
}
