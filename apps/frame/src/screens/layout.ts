import { h, type Child } from './dom.ts'

/** A screen's parts, from top to bottom. */
export type Layout = {
  readonly title: string
  readonly content: readonly Child[]
  /** At the bottom, always in sight; the primary one first. */
  readonly actions?: readonly Child[]
  /** Where a screen is a form: what its primary button and the Enter key do. */
  submit?(): void
}

/**
 * Fills a root with a screen and says its title to a screen reader by moving the focus there.
 *
 * @example layOut(root, { title: words.consent.title, content: [h('p', {}, hint)], actions: [button({ … })] })
 */
export function layOut(root: HTMLElement, { title, content, actions = [], submit }: Layout): void {
  const heading = h('h1', { class: 'title', tabindex: -1 }, title)
  const parts = [
    heading,
    h('div', { class: 'content' }, ...content),
    actions.length > 0 ? h('div', { class: 'actions' }, ...actions) : undefined,
  ]
  root.replaceChildren(submit === undefined ? h('div', { class: 'screen' }, ...parts) : form(submit, parts))
  heading.focus({ preventScroll: true })
}

function form(submit: () => void, parts: readonly Child[]): HTMLFormElement {
  const submitted = (event: SubmitEvent) => {
    event.preventDefault()
    submit()
  }
  return h('form', { class: 'screen', novalidate: true, on: { submit: submitted } }, ...parts)
}

/**
 * A button.
 *
 * @param look `primary` for the one that goes on, `quiet` for the way back, `danger` for what cannot be undone
 * @param guarded whether it counts only while the browser proves that nothing covers it
 * @param press left out where it sends the form that it stands in
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
  press?(): void
}): HTMLButtonElement {
  return h(
    'button',
    {
      type: press === undefined ? 'submit' : 'button',
      class: 'button',
      'data-look': look,
      'data-guarded': guarded,
      on: press && { click: press },
    },
    text,
  )
}

/** A field below its label; what is wrong with it stands in the line of that id. */
export function labelledField(
  label: string,
  attributes: { readonly id: string; readonly type: string } & {
    readonly [attribute: string]: string | number | boolean
  },
): { readonly box: HTMLElement; readonly input: HTMLInputElement } {
  const input = h('input', { class: 'field', autocapitalize: 'none', spellcheck: 'false', ...attributes })
  return { input, box: h('div', { class: 'labelled' }, h('label', { for: attributes.id }, label), input) }
}
