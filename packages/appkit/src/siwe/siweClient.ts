import type { SiweConfig } from '@latchkey/core'

/** The sign-in of `createSIWEConfig`, with its options. */
export type SiweClient = SiweConfig & {
  /** The same functions, as apps call them. */
  readonly methods: Pick<
    SiweConfig,
    'getNonce' | 'getMessageParams' | 'createMessage' | 'verifyMessage' | 'getSession' | 'signOut'
  >
}
