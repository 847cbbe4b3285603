import type { ReceiveTexts } from './texts.ts'

export const strings: ReceiveTexts = {
  qr: (network) => `你在 ${network} 上的地址的二维码`,
  only: (network) => `只可向此地址发送 ${network} 上的资产，其他资产可能会丢失。`,
  share: '分享',
  works: (count) => `适用于 ${count} 个网络`,
  hint: '在这些网络中，该地址都属于你。付款方选择其中一个网络。',
  none: '连接钱包以查看你的地址。',
}
