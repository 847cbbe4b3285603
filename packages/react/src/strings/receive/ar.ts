import { plural } from '../plural.ts'
import type { ReceiveTexts } from './texts.ts'

export const strings: ReceiveTexts = {
  qr: (network) => `رمز QR لعنوانك على ${network}`,
  only: (network) => `أرسل إلى هذا العنوان أصول ${network} فقط. أي شيء آخر قد يضيع.`,
  share: 'مشاركة',
  works: (count) =>
    plural('ar', count, {
      one: 'صالح على شبكة واحدة',
      two: 'صالح على شبكتين',
      few: `صالح على ${count} شبكات`,
      other: `صالح على ${count} شبكة`,
    }),
  hint: 'العنوان لك على كل شبكة من هذه الشبكات. من يدفع لك يختار واحدة منها.',
  none: 'اربط محفظة لترى عنوانك.',
}
