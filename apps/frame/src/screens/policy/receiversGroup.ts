import { addressText } from '../../approve/drawValue.ts'
import type { Messages } from '../../messages/loadFrameMessages.ts'
import { h } from '../elements/h.ts'
import { createButton, labelledField } from '../elements/layout.ts'
import type { Policy } from '../../policy/policy.ts'
import { parseReceiver, type LimitedAsset } from './limitedAssets.ts'
import { ruleGroup } from './ruleGroup.ts'

/** Creates the group of known receivers: a list, and a form for another one. */
export function receiversGroup(
  messages: Messages,
  { policy, assets }: { policy: Policy; assets: readonly LimitedAsset[] },
  setProblem: (sentence: string | undefined) => void,
): { readonly element: HTMLElement; read(): readonly string[] | undefined } {
  const { policy: texts } = messages
  let receivers: readonly string[] = policy.onlyKnownReceivers ?? []
  const list = h('ul', { class: 'rows' })
  const draw = (): void => list.replaceChildren(...receivers.map(rowOf))
  const rowOf = (receiver: string): HTMLElement => {
    const remove = (): void => {
      receivers = receivers.filter((each) => each !== receiver)
      draw()
      address.input.focus()
    }
    const label = texts.removeOf({ receiver })
    return h(
      'li',
      { class: 'row' },
      h('div', { class: 'text' }, addressText(receiver)),
      h('button', { type: 'button', class: 'chip', 'aria-label': label, on: { click: remove } }, texts.remove),
    )
  }
  const options = assets.map(({ asset, network }) => h('option', { value: asset }, network))
  const network = h('select', { id: 'receiver-network', class: 'field' }, ...options)
  const address = labelledField(texts.address, { id: 'receiver', type: 'text', 'aria-describedby': 'problem' })
  const add = (): void => {
    const receiver = parseReceiver(network.value, address.input.value)
    setProblem(receiver === undefined ? texts.wrongAddress : undefined)
    if (receiver !== undefined) {
      receivers = [...receivers.filter((each) => each !== receiver), receiver]
      address.input.value = ''
      draw()
    }
    address.input.focus()
  }
  draw()
  const group = ruleGroup('receivers', {
    label: texts.limitReceivers,
    isOn: policy.onlyKnownReceivers !== undefined,
    content: [
      h('p', { class: 'hint' }, texts.receiversHint),
      list,
      h('div', { class: 'labelled' }, h('label', { for: 'receiver-network' }, texts.network), network),
      address.box,
      createButton({ text: texts.add, press: add }),
    ],
  })
  return { element: group.element, read: () => (group.isOn() ? receivers : undefined) }
}
