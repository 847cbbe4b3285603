import type { Messages } from '../../messages/loadFrameMessages.ts'
import type { AssetAmount, Policy } from '../../policy/policy.ts'
import { problemLine } from '../elements/drawFailure.ts'
import { h } from '../elements/h.ts'
import { createButton, drawLayout, labelledField } from '../elements/layout.ts'
import { formatInput, parseEnteredAmount, type LimitedAsset } from './limitedAssets.ts'
import { receiversGroup } from './receiversGroup.ts'
import { ruleGroup, type RuleGroup } from './ruleGroup.ts'

export type PolicyFormProps = {
  readonly policy: Policy
  readonly assets: readonly LimitedAsset[]
  /** Problem of the last attempt. */
  readonly failure?: string
  cancel(): void
  save(policy: Policy): void
}

/** Draws the form of the signing policy. */
export function drawPolicyForm(root: HTMLElement, messages: Messages, props: PolicyFormProps): void {
  const { policy: texts, common } = messages
  const { policy, cancel, save } = props
  const { line, setText } = problemLine('problem')
  const daily = amountsGroup('daily', messages, props, policy.dailyLimit)
  const single = amountsGroup('single', messages, props, policy.secondDeviceAbove)
  const receivers = receiversGroup(messages, props, setText)
  drawLayout(root, {
    title: texts.change,
    content: [daily.element, single.element, h('p', { class: 'hint' }, texts.emptyHint), receivers.element, line],
    actions: [
      createButton({ text: texts.save, look: 'primary', guarded: true }),
      createButton({ text: common.cancel, look: 'quiet', press: cancel }),
    ],
    submit() {
      const [dailyLimit, secondDeviceAbove] = [daily.read(), single.read()]
      if (dailyLimit === 'invalid' || secondDeviceAbove === 'invalid') return setText(texts.wrongAmount)
      const onlyKnownReceivers = receivers.read()
      save({
        ...(dailyLimit !== undefined && { dailyLimit }),
        ...(secondDeviceAbove !== undefined && { secondDeviceAbove }),
        ...(onlyKnownReceivers !== undefined && { onlyKnownReceivers }),
      })
    },
  })
  setText(props.failure)
}

type AmountsGroup = Pick<RuleGroup, 'element'> & { read(): readonly AssetAmount[] | 'invalid' | undefined }

function amountsGroup(
  id: 'daily' | 'single',
  messages: Messages,
  { assets }: PolicyFormProps,
  limits: readonly AssetAmount[] | undefined,
): AmountsGroup {
  const { policy: texts } = messages
  const fields = assets.map(({ asset, network, symbol, decimals }, at) => {
    const before = limits?.find((each) => each.asset === asset)
    const value = before === undefined || before.units === 0n ? '' : formatInput(before.units, decimals)
    const label = texts.amountOf({ symbol, network })
    const attributes = { id: `${id}-${at}`, type: 'text', inputmode: 'decimal', value, 'aria-describedby': 'problem' }
    return { asset, decimals, ...labelledField(label, attributes) }
  })
  const label = id === 'daily' ? texts.limitDaily : texts.limitSingle
  const hint = id === 'daily' ? [h('p', { class: 'hint' }, texts.dayHint)] : []
  const content = [...hint, ...fields.map(({ box }) => box)]
  const { element, isOn } = ruleGroup(id, { label, isOn: limits !== undefined, content })
  // Limits of tokens have no field here, and stay as they are.
  const others = (limits ?? []).filter(({ asset }) => !assets.some((each) => each.asset === asset))
  return {
    element,
    read() {
      if (!isOn()) return undefined
      const amounts = fields.map(({ asset, decimals, input }) => ({
        asset,
        units: input.value.trim() === '' ? 0n : parseEnteredAmount(input.value, decimals),
      }))
      fields.forEach(({ input }, at) => input.toggleAttribute('aria-invalid', amounts[at]?.units === undefined))
      const valid = amounts.flatMap(({ asset, units }) => (units === undefined ? [] : [{ asset, units }]))
      if (valid.length < amounts.length) return 'invalid'
      return [...valid.filter(({ units }) => units > 0n), ...others]
    },
  }
}
