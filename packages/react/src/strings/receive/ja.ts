import type { ReceiveTexts } from './texts.ts'

export const strings: ReceiveTexts = {
  qr: (network) => `${network} でのアドレスの QR コード`,
  only: (network) => `このアドレスには ${network} の資産だけを送ってください。それ以外は失われることがあります。`,
  share: '共有',
  works: (count) => `${count} 個のネットワークで使えます`,
  hint: 'これらのどのネットワークでも、このアドレスはあなたのものです。支払う人がその中から選びます。',
  none: 'アドレスを見るにはウォレットを接続してください。',
}
