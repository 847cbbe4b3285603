import { frameSocials } from '@latchkey/protocol'
import type { FrameConfig } from '../config.ts'
import { h } from '../screens/dom.ts'
import { layOut } from '../screens/layout.ts'
import { createPasskeys, type Passkeys } from '../screens/recovery/passkeys.ts'
import type { Screen } from '../screens/stage.ts'
import { loadWords, type Words } from '../words/words.ts'
import type { KeyHolder } from '../worker/keyHolder.ts'
import type { LoginProvider } from './loginScreen.ts'

/** A page of this site's own, which no other page embeds. */
export type OwnPage = {
  readonly words: Words
  readonly holder: KeyHolder
  readonly passkeys: Passkeys
  readonly config: FrameConfig
  /** What the link here said: the project whose page one came from, and how one logs in there. */
  readonly from: { readonly projectId: string; readonly social?: LoginProvider }
  /** Shows a screen until it is answered. */
  show<answer>(screen: Screen<answer>): Promise<answer>
}

export type OwnPageParts = {
  readonly window: Window
  readonly config: FrameConfig
  startHolder(config: FrameConfig, projectId: string): KeyHolder
}

/**
 * Makes the page ready: its language, the worker with the keys, and where screens are drawn.
 *
 * @returns undefined where another page embeds this one: the visitor is told to open it by itself, and no worker is started
 */
export async function openPage({ window, config, startHolder }: OwnPageParts): Promise<OwnPage | undefined> {
  const { document, location, navigator } = window
  const words = await loadWords(navigator.languages)
  const root = document.querySelector<HTMLElement>('#stage')
  if (root === null) throw new Error('a page without a stage')
  document.documentElement.lang = words.locale
  document.documentElement.dir = words.direction
  if (window.top !== window) return void drawFramed(root, words, location.href)
  const from = readFrom(new URLSearchParams(location.search), config)
  return {
    words,
    config,
    from,
    holder: startHolder(config, from.projectId),
    passkeys: createPasskeys({ credentials: navigator.credentials, rpId: location.hostname }),
    show: (screen) => answerOf(document, root, screen, words),
  }
}

function drawFramed(root: HTMLElement, { exporting }: Words, href: string): void {
  const link = h('a', { class: 'button', href, target: '_blank', rel: 'noopener' }, exporting.open)
  layOut(root, { title: exporting.framed, content: [], actions: [link] })
}

function readFrom(query: URLSearchParams, config: FrameConfig): OwnPage['from'] {
  const social = ([...frameSocials, 'farcaster'] as const).find((provider) => provider === query.get('login'))
  const projectId = query.get('projectId') ?? config.projectId ?? ''
  return { projectId, ...(social !== undefined && { social }) }
}

async function answerOf<answer>(
  document: Document,
  root: HTMLElement,
  screen: Screen<answer>,
  { common }: Words,
): Promise<answer> {
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
