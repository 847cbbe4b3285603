import type { Messages } from '../../messages/loadFrameMessages.ts'
import type { RecoveryMethodInfo, RecoveryStatus } from '../../worker/keyHolder.ts'
import { h, createIcon } from '../elements/h.ts'
import { methodTexts } from './methodTexts.ts'

/** Lists the combinations that open the wallet now. Each line names everything that is needed together. */
export function recoveryStatusSection(
  messages: Messages,
  { methods, status }: { methods: readonly RecoveryMethodInfo[]; status: RecoveryStatus | undefined },
): HTMLElement {
  const { recoveryMethods: texts, common } = messages
  const usable = status?.isRecoverable === true ? methods.filter(({ isUnreadable }) => isUnreadable !== true) : []
  const names = [...new Set(usable.map((method) => methodTexts(method, messages).name))]
  return h(
    'section',
    { class: 'group' },
    h('h2', {}, texts.status),
    status === undefined
      ? h('p', { class: 'hint' }, common.unreachable)
      : h(
          'ul',
          { class: 'lines' },
          ...linesOf(messages, status, names).map((line) => h('li', { class: 'hint' }, line)),
        ),
    status !== undefined && names.length === 0
      ? h('div', { class: 'banner', 'data-tone': 'danger' }, createIcon('warning'), h('p', {}, texts.statusNone))
      : undefined,
  )
}

function linesOf({ recoveryMethods: texts }: Messages, status: RecoveryStatus, names: readonly string[]): string[] {
  return [
    ...(status.isDeviceEnrolled ? [texts.statusDevice] : []),
    ...(status.otherDevices > 0 ? [texts.statusDevices] : []),
    ...names.map((method) => texts.statusMethod({ method })),
    ...(status.isDeviceEnrolled && names.length > 0 ? [texts.statusDeviceMethod] : []),
  ]
}
