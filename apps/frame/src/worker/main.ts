import { schedule } from '../platform/schedule.ts'
import { openKeyHolder } from './openKeyHolder.ts'
import type { FarcasterContext } from './login/beginFarcasterLogin.ts'
import { serveHolder, type HolderPort } from './holderPort.ts'
import { openHolderStore } from './storage/holderStore.ts'
import { createStretch } from './kdf/createStretch.ts'

/** The first message from the page that started the worker. */
export type HolderStart = {
  readonly auth: string
  readonly shares: string
  readonly projectId: string
  readonly farcaster: FarcasterContext | undefined
  /** True if another page embeds this one. Then the worker reveals no secret. */
  readonly isFramed: boolean
}

// The worker's global scope is a port. Its types here are those of a window.
const port = self as unknown as HolderPort

self.addEventListener(
  'message',
  ({ data }: MessageEvent<HolderStart>) => {
    const { auth, shares, projectId, farcaster, isFramed } = data
    const holder = openKeyHolder({
      authUrl: auth,
      sharesUrl: shares,
      projectId,
      farcaster,
      isFramed,
      stretch: createStretch(),
      store: openHolderStore('latchkey'),
      now: Date.now,
      later: schedule,
      // All windows of this site share one session, and its refresh token works once.
      alone: (act) => navigator.locks.request('latchkey-session', act),
    })
    serveHolder(port, holder)
  },
  { once: true },
)
