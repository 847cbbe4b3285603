import { frameSocials } from '@latchkey/protocol'
import type { FrameConfig } from '../frameConfig.ts'
import { h } from '../screens/elements/h.ts'
import { drawLayout } from '../screens/elements/layout.ts'
import { createPasskeys, type Passkeys } from '../screens/recovery/passkeys.ts'
import type { Screen } from '../screens/stage/stage.ts'
import { loadFrameMessages, type Messages } from '../messages/loadFrameMessages.ts'
import type { KeyHolder } from '../worker/keyHolder.ts'
import type { LoginProvider } from './loginScreen.ts'

/** A top-level page of this site. */
export type TopLevelPage = {
  readonly messages: Messages
  readonly holder: KeyHolder
  readonly passkeys: Passkeys
  readonly config: FrameConfig
  /** Parameters of the link: the app's project and the user's login provider. */
  readonly from: { readonly projectId: string; readonly social?: LoginProvider }
  /** Shows a screen until the user decides. */
  show<result>(screen: Screen<result>): Promise<result>
}

export type TopLevelPageDependencies = {
  readonly window: Window
  readonly config: FrameConfig
  startHolder(config: FrameConfig, projectId: string): KeyHolder
}

/**
 * Prepares the page: its language, the key holder's worker and the root of its screens.
 *
 * @returns `undefined` if another page embeds this one. The page then asks the user to open it by itself, and starts no
 *   worker.
 */
export async function openTopLevelPage({
  window,
  config,
  startHolder,
}: TopLevelPageDependencies): Promise<TopLevelPage | undefined> {
  const { document, location, navigator } = window
  const messages = await loadFrameMessages(navigator.languages)
  const root = document.querySelector<HTMLElement>('#stage')
  if (root === null) throw new Error('The page has no stage.')
  document.documentElement.lang = messages.locale
  document.documentElement.dir = messages.direction
  if (window.top !== window) return void drawFramed(root, messages, location.href)
  const from = parseOriginLink(new URLSearchParams(location.search), config)
  const holder = startHolder(config, from.projectId)
  await holder.setLanguage(messages.locale)
  return {
    messages,
    config,
    from,
    holder,
    passkeys: createPasskeys({ credentials: navigator.credentials, rpId: location.hostname }),
    show: (screen) => showUntilDone(document, root, screen, messages),
  }
}

function drawFramed(root: HTMLElement, { exporting }: Messages, href: string): void {
  const link = h('a', { class: 'button', href, target: '_blank', rel: 'noopener' }, exporting.open)
  drawLayout(root, { title: exporting.framed, content: [], actions: [link] })
}

function parseOriginLink(query: URLSearchParams, config: FrameConfig): TopLevelPage['from'] {
  const social = ([...frameSocials, 'farcaster'] as const).find((provider) => provider === query.get('login'))
  const projectId = query.get('projectId') ?? config.projectId ?? ''
  return { projectId, ...(social !== undefined && { social }) }
}

async function showUntilDone<choice>(
  document: Document,
  root: HTMLElement,
  screen: Screen<choice>,
  { common }: Messages,
): Promise<choice> {
  let clear: (() => void) | undefined
  try {
    return await new Promise((resolve) => {
      clear = screen.draw(root, resolve)
      document.title = `${root.querySelector('h1')?.textContent ?? common.waiting} · Latchkey`
    })
  } finally {
    clear?.()
  }
}
