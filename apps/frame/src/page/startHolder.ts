import type { FrameConfig } from '../config.ts'
import type { KeyHolder } from '../worker/keyHolder.ts'
import type { HolderStart } from '../worker/main.ts'
import { ownScript } from '../worker/ownScript.ts'
import { callHolder } from '../worker/port.ts'
// oxlint-disable-next-line import/default -- Vite makes it: the address of the built worker
import workerUrl from '../worker/main.ts?worker&url'

/**
 * Starts the worker that has the keys.
 *
 * @example const holder = startHolder(config, projectId)
 */
export function startHolder({ auth, shares }: FrameConfig, projectId: string): KeyHolder {
  const worker = new Worker(ownScript(workerUrl), { type: 'module', name: 'keys' })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
  worker.postMessage({ auth, shares, projectId, isFramed: window.top !== window.self } satisfies HolderStart)
  return callHolder(worker)
}
