import type { ReceiveTexts } from './texts.ts'

export const strings: ReceiveTexts = {
  qr: (network) => `你在 ${network} 上的地址的 QR 碼`,
  only: (network) => `只能向此地址傳送 ${network} 上的資產，其他資產可能會遺失。`,
  share: '分享',
  works: (count) => `適用於 ${count} 個網路`,
  hint: '在這些網路上，該地址都屬於你。付款方選擇其中一個網路。',
  none: '連接錢包以查看你的地址。',
}
