import { openHolder } from './holder.ts'
import { serveHolder, type HolderPort } from './port.ts'
import { openStore } from './store.ts'
import { createStretch } from './stretchApart.ts'

/** The first message of the page that started the worker. */
export type HolderStart = {
  readonly auth: string
  readonly shares: string
  readonly projectId: string
  /** Whether another page embeds this one: then no secret is ever shown. */
  readonly isFramed: boolean
}

// A worker's global is a port, whose types are those of a page's window here.
const port = self as unknown as HolderPort

self.addEventListener(
  'message',
  ({ data }: MessageEvent<HolderStart>) => {
    const { auth, shares, projectId, isFramed } = data
    const holder = openHolder({
      authUrl: auth,
      sharesUrl: shares,
      projectId,
      isFramed,
      stretch: createStretch(),
      store: openStore('latchkey'),
      now: Date.now,
      later(act, milliseconds) {
        const timer = setTimeout(act, milliseconds)
        return () => clearTimeout(timer)
      },
      // Several windows of this site share one session, and its token is traded once.
      alone: (act) => navigator.locks.request('latchkey-session', act),
    })
    serveHolder(port, holder)
  },
  { once: true },
)
