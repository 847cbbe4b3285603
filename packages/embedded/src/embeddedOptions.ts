import type { Clock, LoginAccountType, SocialProvider, Storage } from '@latchkey/core'
import type { ReleaseSigners } from '@latchkey/protocol/release'
import type { OpenFrame } from './frame/framePort.ts'

/** Options of `embedded`. */
export type EmbeddedOptions = {
  /** Origin of the deployment's frame, for example `https://wallet.example.org`. */
  frame: string
  /**
   * Public keys of the signers whose release the frame must offer, and the number of signatures. The connector checks it when
   * a user starts a login or returns to one. Default: any release.
   */
  releases?: ReleaseSigners
  /** Project id of the app, 32 hexadecimal characters. */
  projectId?: string
  /** Social logins that the deployment offers. Default: all of them. */
  socials?: readonly SocialProvider[]
  name?: string
  /** Icon as a data URI. */
  icon?: string
  /** Account type of the first connection on networks that offer smart accounts. */
  accountType?: LoginAccountType
  /** Language of the frame's screens (BCP 47). Default: the language of the page. */
  language?: string
  /** Logs the frame's actions to its console, without secrets. */
  enableLogger?: boolean
  storage?: Storage
  clock?: Clock
  /** Opens the frame. Default: an iframe. */
  open?: OpenFrame
}
