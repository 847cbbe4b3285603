import type { ReceiveTexts } from './texts.ts'

export const strings: ReceiveTexts = {
  qr: (network) => `Mã QR địa chỉ của bạn trên ${network}`,
  only: (network) => `Chỉ gửi tài sản trên ${network} đến địa chỉ này. Thứ khác có thể bị mất.`,
  share: 'Chia sẻ',
  works: (count) => `Dùng được trên ${count} mạng`,
  hint: 'Trên mỗi mạng này, địa chỉ đều là của bạn. Người trả tiền chọn một trong số đó.',
  none: 'Kết nối ví để xem địa chỉ của bạn.',
}
