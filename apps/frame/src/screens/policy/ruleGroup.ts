import { h } from '../elements/h.ts'

/** A group of the form: a switch, and what it shows. */
export type RuleGroup = { readonly element: HTMLElement; readonly isOn: () => boolean }

/** Creates a group whose content shows while its switch is on. */
export function ruleGroup(
  id: string,
  { label, isOn, content }: { label: string; isOn: boolean; content: readonly HTMLElement[] },
): RuleGroup {
  const box = h('input', { type: 'checkbox', id, 'aria-controls': `${id}-rule`, ...(isOn && { checked: true }) })
  const details = h('div', { id: `${id}-rule`, class: 'group' }, ...content)
  const update = (): void => void (details.hidden = !box.checked)
  box.addEventListener('change', update)
  update()
  return {
    element: h(
      'section',
      { class: 'group' },
      h('div', { class: 'choice' }, box, h('label', { for: id }, label)),
      details,
    ),
    isOn: () => box.checked,
  }
}
