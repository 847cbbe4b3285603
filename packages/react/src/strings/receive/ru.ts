import { plural } from '../plural.ts'
import type { ReceiveTexts } from './texts.ts'

export const strings: ReceiveTexts = {
  qr: (network) => `QR-код вашего адреса в сети ${network}`,
  only: (network) => `Отправляйте на этот адрес только активы сети ${network}. Всё остальное может быть потеряно.`,
  share: 'Поделиться',
  works: (count) => plural('ru', count, { one: `Действует в ${count} сети`, other: `Действует в ${count} сетях` }),
  hint: 'В каждой из этих сетей адрес принадлежит вам. Тот, кто платит, выбирает одну из них.',
  none: 'Подключите кошелёк, чтобы увидеть адрес.',
}
