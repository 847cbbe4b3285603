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
export function introduce({ projectId = '', language, look }: Parts): FrameRequests['SYNC_DAPP_DATA']['payload'] {
  const spoken = language ?? look.get()?.language ?? languageOfPage()
  return {
    projectId,
    sdkType: 'latchkey',
    sdkVersion: version,
    ...(spoken !== undefined && { language: spoken }),
    ...(typeof document !== 'undefined' && {
      metadata: { name: document.title.slice(0, 256), url: location.origin },
    }),
  }
}

function languageOfPage(): string | undefined {
  return typeof document === 'undefined' ? undefined : document.documentElement.lang || navigator.language
}

/** What the frame's screens are to look like; undefined where nobody said so. */
export function dress({ look }: Parts, accent: string | undefined): FrameRequests['SYNC_THEME']['payload'] | undefined {
  const worn = look.get()
  if (worn === undefined) return undefined
  const colour = worn.accent ?? accent
  return {
    themeMode: worn.themeMode,
    ...(colour !== undefined && { themeVariables: { '--latchkey-accent': colour } }),
  }
}

/** The page's own accent where the frame is shown, as a plain colour, which is all that the frame takes. */
export function accentOf(element: HTMLElement): string | undefined {
  const set = getComputedStyle(element).getPropertyValue('--latchkey-accent').trim()
  if (set === '') return undefined
  const probe = document.createElement('span')
  probe.style.color = set
  if (probe.style.color === '') return undefined
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return /^(?:rgba?|hsla?|oklch|oklab)\(/.test(color) ? color : undefined
}
