import { createErrors, type ErrorMaker } from '@latchkey/protocol'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'client/closed': object
    'namespace/not-configured': { namespace: string }
  }
}

/** Creates an error that only the universal provider throws. */
export const providerError: ErrorMaker<'client/closed' | 'namespace/not-configured' | 'rpc/failed'> =
  /* @__PURE__ */ createErrors({
    'client/closed': () => 'Sign Client not initialized: it was closed. Create a new one.',
    'namespace/not-configured': ({ namespace }) =>
      `Namespace ${namespace} is not configured. Please call connect() first with namespace config.`,
    'rpc/failed': ({ network, method, code, reason }) =>
      `${network} failed to execute ${method}${code === undefined ? '' : ` (code ${code})`}: ${reason}`,
  })
