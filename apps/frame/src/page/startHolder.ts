import type { FrameConfig } from '../config.ts'
import type { KeyHolder } from '../worker/keyHolder.ts'
import type { HolderStart } from '../worker/main.ts'
import { callHolder } from '../worker/port.ts'
// oxlint-disable-next-line import/default -- Vite makes it: the address of the built worker
import workerUrl from '../worker/main.ts?worker&url'

/** What a browser with Trusted Types wants besides an address; others take the text. */
type Policies = {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

/**
 * Starts the worker that has the keys.
 *
 * @example const holder = startHolder(config, projectId)
 */
export function startHolder({ auth, shares }: FrameConfig, projectId: string): KeyHolder {
  const worker = new Worker(ownScript(workerUrl), { type: 'module', name: 'keys' })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
  worker.postMessage({ auth, shares, projectId } satisfies HolderStart)
  return callHolder(worker)
}

/** Lets through what this site itself serves, and nothing else: the one policy that its headers allow. */
function ownScript(url: string): string {
  const rules = {
    createScriptURL(address: string): string {
      const { origin, pathname } = new URL(address, location.href)
      if (origin === location.origin && pathname.startsWith('/assets/')) return address
      throw new TypeError('Workers are started from this site only.')
    },
  }
  // Not every browser has it, and the platform's types do not know it yet.
  const { trustedTypes }: { trustedTypes?: Policies } = globalThis as { trustedTypes?: Policies }
  return trustedTypes === undefined
    ? rules.createScriptURL(url)
    : trustedTypes.createPolicy('latchkey', rules).createScriptURL(url)
}
