import type { FrameRequests } from '@latchkey/protocol'
import type { LoginMemory } from '../login/loginMemory.ts'
import type { EmbeddedContext } from '../embeddedContext.ts'

/** Version of the protocol between page and frame. */
const version = '4'

/** Returns the URL of the frame [R7.4.1]. */
export function frameUrl(
  { frameOrigin, projectId = '', enableLogger = false }: EmbeddedContext,
  memory: LoginMemory,
): URL {
  const url = new URL(`${frameOrigin}/sdk`)
  url.searchParams.set('projectId', projectId)
  const chainId = memory.chain()
  if (chainId !== undefined) url.searchParams.set('chainId', chainId)
  url.searchParams.set('version', version)
  url.searchParams.set('enableLogger', String(enableLogger))
  return url
}

/** Creates the information about the page. The frame trusts only its language. */
export function createDappData({
  projectId = '',
  language,
  appearance,
}: EmbeddedContext): FrameRequests['SYNC_DAPP_DATA']['payload'] {
  const spoken = language ?? appearance.get()?.language ?? languageOfPage()
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

/** Creates the frame's theme, or `undefined` if none is set. */
export function createThemeData(
  { appearance }: EmbeddedContext,
  accent: string | undefined,
): FrameRequests['SYNC_THEME']['payload'] | undefined {
  const wanted = appearance.get()
  if (wanted === undefined) return undefined
  const colour = wanted.accent ?? accent
  return {
    themeMode: wanted.themeMode,
    ...(colour !== undefined && { themeVariables: { '--latchkey-accent': colour } }),
  }
}

/** Returns the page's accent colour at an element as a plain colour, the only form that the frame accepts. */
export function accentColorOf(element: HTMLElement): string | undefined {
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
