import { h, type Child } from './dom.ts'

/** A screen's parts, from top to bottom. */
export type Layout = {
  readonly title: string
  readonly content: readonly Child[]
  /** At the bottom, always in sight; the primary one first. */
  readonly actions?: readonly Child[]
}

/**
 * Fills a root with a screen and says its title to a screen reader by moving the focus there.
 *
 * @example layOut(root, { title: words.consent.title, content: [h('p', {}, hint)], actions: [button({ … })] })
 */
export function layOut(root: HTMLElement, { title, content, actions = [] }: Layout): void {
  const heading = h('h1', { class: 'title', tabindex: -1 }, title)
  root.replaceChildren(
    h(
      'div',
      { class: 'screen' },
      heading,
      h('div', { class: 'content' }, ...content),
      actions.length > 0 ? h('div', { class: 'actions' }, ...actions) : undefined,
    ),
  )
  heading.focus({ preventScroll: true })
}

/**
 * A button.
 *
 * @param look `primary` for the one that goes on, `quiet` for the way back, `danger` for what cannot be undone
 * @param guarded whether it counts only while the browser proves that nothing covers it
 */
export function button({
  text,
  look,
  guarded = false,
  press,
}: {
  text: string
  look?: 'primary' | 'quiet' | 'danger'
  guarded?: boolean
  press(): void
}): HTMLButtonElement {
  return h(
    'button',
    { type: 'button', class: 'button', 'data-look': look, 'data-guarded': guarded, on: { click: press } },
    text,
  )
}
