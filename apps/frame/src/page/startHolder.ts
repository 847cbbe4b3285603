import type { FrameConfig } from '../frameConfig.ts'
import type { KeyHolder } from '../worker/keyHolder.ts'
import type { HolderStart } from '../worker/main.ts'
import { trustedScriptUrl } from '../worker/trustedScriptUrl.ts'
import { createHolderClient } from '../worker/holderPort.ts'
import { acceptCodeHandover, acceptLoginHandover, type HandoverWindow } from './acceptLoginHandover.ts'
// oxlint-disable-next-line import/default -- Vite makes it: the address of the built worker
import workerUrl from '../worker/main.ts?worker&url'

/**
 * Starts the key holder's worker, and passes it the secrets of finished logins.
 *
 * @example const holder = startHolder(config, projectId)
 */
export function startHolder({ auth, shares, origin, farcasterRelay }: FrameConfig, projectId: string): KeyHolder {
  const worker = new Worker(trustedScriptUrl(workerUrl), { type: 'module', name: 'keys' })
  const farcaster = farcasterRelay === undefined ? undefined : { relayUrl: farcasterRelay, frameUrl: origin }
  const isFramed = window.top !== window.self
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
  worker.postMessage({ auth, shares, projectId, farcaster, isFramed } satisfies HolderStart)
  const holder = createHolderClient(worker)
  // Only windows send messages with an origin to a window.
  const port = window as HandoverWindow
  acceptLoginHandover(port, auth, holder.acceptLogin)
  acceptCodeHandover(port, shares, holder.approveDevice)
  return holder
}
