import type { FrameRequests } from '@latchkey/protocol'
import type { LoginMemory } from './memory.ts'
import type { Parts } from './parts.ts'

/** The version of the words that page and frame speak. */
const version = '4'

/** The address of the frame, as the field's pages write it [R7.4.1]. */
export function frameUrl({ site, projectId = '', enableLogger = false }: Parts, memory: LoginMemory): URL {
  const url = new URL(`${site}/sdk`)
  url.searchParams.set('projectId', projectId)
  const chainId = memory.chain()
  if (chainId !== undefined) url.searchParams.set('chainId', chainId)
  url.searchParams.set('version', version)
  url.searchParams.set('enableLogger', String(enableLogger))
  return url
}

/** What the frame is told of the page. It believes none of it but the language. */
export function introduce({ projectId = '', language }: Parts): FrameRequests['SYNC_DAPP_DATA']['payload'] {
  return {
    projectId,
    sdkType: 'latchkey',
    sdkVersion: version,
    ...(typeof document !== 'undefined' && {
      language: language ?? (document.documentElement.lang || navigator.language),
      metadata: { name: document.title.slice(0, 256), url: location.origin },
    }),
  }
}
