import type { ReceiveTexts } from './texts.ts'

export const strings: ReceiveTexts = {
  qr: (network) => `${network} ağındaki adresinin QR kodu`,
  only: (network) => `Bu adrese yalnızca ${network} ağındaki varlıkları gönder. Başka her şey kaybolabilir.`,
  share: 'Paylaş',
  works: (count) => `${count} ağda geçerli`,
  hint: 'Bu ağların her birinde adres senindir. Sana ödeme yapan kişi birini seçer.',
  none: 'Adresini görmek için bir cüzdan bağla.',
}
