import { buttonStrings, type ButtonStrings } from './button.ts'
import { networkButtonStrings, type NetworkButtonStrings } from './networkButton.ts'
import { walletButtonStrings, type WalletButtonStrings } from './walletButton.ts'

/** What the buttons in the page say. */
export type ButtonTexts = {
  button: ButtonStrings
  networkButton: NetworkButtonStrings
  walletButton: WalletButtonStrings
}

/** The languages of Latchkey. */
export type Locale =
  'en' | 'de' | 'es' | 'fr' | 'it' | 'pt' | 'tr' | 'ru' | 'ar' | 'hi' | 'id' | 'vi' | 'zh-CN' | 'zh-TW' | 'ja' | 'ko'

/** All languages in one small piece: the buttons are in the page long before a whole language is wanted. */
export const buttonTexts: { readonly [locale in Locale]: ButtonTexts } = {
  en: { button: buttonStrings, networkButton: networkButtonStrings, walletButton: walletButtonStrings },
  de: texts(
    ['Verbinden', 'Verbinde …', 'Offline? Nochmal', 'Noch einmal'],
    ['Netzwerk wählen', 'Netzwerk wechseln', 'Unbekanntes Netzwerk'],
  ),
  es: texts(
    ['Conectar', 'Conectando…', '¿Sin conexión? Reintentar', 'Reintentar'],
    ['Elegir red', 'Cambiar de red', 'Red desconocida'],
  ),
  fr: texts(
    ['Se connecter', 'Connexion…', 'Hors ligne ? Réessayer', 'Réessayer'],
    ['Choisir un réseau', 'Changer de réseau', 'Réseau inconnu'],
  ),
  it: texts(
    ['Connetti', 'Connessione…', 'Offline? Riprova', 'Riprova'],
    ['Scegli la rete', 'Cambia rete', 'Rete sconosciuta'],
  ),
  pt: texts(
    ['Conectar', 'Conectando…', 'Offline? Tente de novo', 'Tente de novo'],
    ['Escolher rede', 'Trocar de rede', 'Rede desconhecida'],
  ),
  tr: texts(
    ['Bağlan', 'Bağlanıyor…', 'Çevrimdışı mı? Yeniden dene', 'Yeniden dene'],
    ['Ağ seç', 'Ağ değiştir', 'Bilinmeyen ağ'],
  ),
  ru: texts(
    ['Подключить', 'Подключение…', 'Нет сети? Ещё раз', 'Ещё раз'],
    ['Выбрать сеть', 'Сменить сеть', 'Неизвестная сеть'],
  ),
  ar: texts(
    ['اتصال', 'جارٍ الاتصال…', 'غير متصل؟ أعد المحاولة', 'أعد المحاولة'],
    ['اختر الشبكة', 'بدّل الشبكة', 'شبكة غير معروفة'],
  ),
  hi: texts(
    ['कनेक्ट करें', 'कनेक्ट हो रहा है…', 'ऑफ़लाइन? फिर कोशिश करें', 'फिर कोशिश करें'],
    ['नेटवर्क चुनें', 'नेटवर्क बदलें', 'अज्ञात नेटवर्क'],
  ),
  id: texts(
    ['Hubungkan', 'Menghubungkan…', 'Luring? Coba lagi', 'Coba lagi'],
    ['Pilih jaringan', 'Ganti jaringan', 'Jaringan tak dikenal'],
  ),
  vi: texts(
    ['Kết nối', 'Đang kết nối…', 'Mất mạng? Thử lại', 'Thử lại'],
    ['Chọn mạng', 'Chuyển mạng', 'Mạng không xác định'],
  ),
  'zh-CN': texts(['连接', '连接中…', '离线？重试', '重试'], ['选择网络', '切换网络', '未知网络']),
  'zh-TW': texts(['連接', '連接中…', '離線？重試', '重試'], ['選擇網路', '切換網路', '未知網路']),
  ja: texts(
    ['接続', '接続中…', 'オフライン？再試行', '再試行'],
    ['ネットワークを選択', 'ネットワークを切り替え', '不明なネットワーク'],
  ),
  ko: texts(
    ['연결', '연결 중…', '오프라인? 다시 시도', '다시 시도'],
    ['네트워크 선택', '네트워크 전환', '알 수 없는 네트워크'],
  ),
}

/** The texts by their place, which is much smaller than sixteen times their names. */
function texts(
  [connect, connecting, failed, again]: readonly [string, string, string, string],
  [choose, change, unknown]: readonly [string, string, string],
): ButtonTexts {
  return {
    button: { connect, connecting, failed },
    networkButton: { choose, change, unknown },
    walletButton: { connecting, failed: again },
  }
}
