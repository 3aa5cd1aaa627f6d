/** The most common leaked passwords of at least 8 characters, in lower case. */
const common = new Set(
  `12345678 123456789 1234567890 12345678910 123456789a 1234567891 0123456789 0987654321
  987654321 9876543210 87654321 98765432 11111111 111111111 1111111111 00000000 000000000
  0000000000 22222222 33333333 44444444 55555555 66666666 77777777 88888888 99999999
  999999999 12341234 12344321 11223344 1122334455 112233445566 11112222 10203040 102030405060
  12121212 121212121 123123123 123123123a 123321123 12332112 147258369 1472583690 159357159
  741852963 789456123 7894561230 963852741 147852369 14789632 159753456 741258963 31415926
  20202020 20102010 19871987 19891989 19901990 19911991 12345679 12345687 123456780 12345670
  1234567a 12345678a 123456aa 123456ab 123456abc a1234567 a12345678 a123456789 aa123456
  aa12345678 aaa111111 abc12345 abc123456 abc123456789 abcd1234 abcd12345 abcd123456 1234abcd
  12345abc 1a2b3c4d 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 1qaz1qaz
  2wsx3edc zaq12wsx zaq1zaq1 zaq1xsw2 qazwsxedc qazwsx123 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6
  qwertyui qwertyuiop qwertyuiop123 qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456
  qwerty321 qwertyqwerty qwert123 qwert12345 qwer1234 qwer12345 qwerasdf qwerasdfzxcv qweasdzxc
  qweasd123 qweqweqwe qwe123qwe qwe123456 123qweasd 123qwe123 123qweasdzxc 1234qwer 12345qwert
  12qwaszx asdfghjk asdfghjkl asdfghjkl123 asdf1234 asdf12345 asdfasdf asdasdasd asd123456
  asd123asd zxcvbnm1 zxcvbnm123 zxcvbnma zxcvbnmz zxcv1234 zxczxczxc zxc123456 poiuytrewq
  lkjhgfdsa mnbvcxz1 aaaaaaaa aaaaaaaaaa aaaaaaa1 abababab abcabcabc abcdefgh abcdefghi
  abcdefghij abcdefg1 abcdefg123 alphabet
  password password1 password12 password123 password1234 password12345 password123456 password2
  password3 password9 password01 password11 password99 passwort passw0rd p@ssw0rd p@ssword
  pa55word pa$$word p4ssword p4ssw0rd passpass passpass1 passport pass1234 pass12345 pass123456
  mypassword mypass123 newpassword yourpassword thepassword nopassword letmein1 letmein123
  letmeinn welcome1 welcome12 welcome123 welcome1234 welcome2 changeme changeme1 changeme123
  changeit default1 default123 secret12 secret123 secret1234 topsecret trustno1 whatever
  whatever1 whatever123 access14 accessme administrator admin123 admin1234 admin12345 admin123456
  adminadmin admin@123 administrator1 root1234 rootroot toor1234 superuser supervisor
  testtest test1234 test12345 test123456 testing1 testing123 testuser test@123 tester123 guest123
  guest1234 user1234 username username1 master12 master123 login123 loginlogin demo1234 demodemo
  sample123 computer computer1 computer123 internet internet1 internet123 google123 facebook
  facebook1 facebook123 whatsapp instagram youtube1 samsung1 samsung123 microsoft windows1
  windows10 linkedin myspace1 pokemon1 pokemon123 minecraft minecraft1 starwars starwars1 startrek
  iloveyou iloveyou1 iloveyou2 iloveyou12 iloveyou123 iloveyou! iloveu123 iloveme1 ilovegod
  iloveyou3 loveyou1 loveyou123 loveme123 lovelove love1234 loverboy lover123 lovely123 forever1
  forever21 mylove123 sweetheart sweetie1 princess princess1 princess12 princess123 princesa
  babygirl babygirl1 baby1234 angel123 angelica butterfly butterfly1 flower123 sunshine sunshine1
  sunshine123 sunflower rainbow1 rainbow123 summer123 summer2020 summer2021 summer2022 winter123
  spring123 chocolate chocolate1 cookie123 cheese123 orange123 banana123 strawberry blueberry
  football football1 football12 football123 futbol123 soccer123 soccer12 baseball baseball1
  basketball basketball1 hockey123 volleyball softball swimming liverpool liverpool1 liverpool123
  arsenal1 arsenal123 chelsea1 chelsea123 barcelona barcelona1 juventus realmadrid manchester
  manutd123 kaizerchiefs orlandopirates springboks bafanabafana dallas22 steelers cowboys1
  yankees1 lakers24 jordan23 michael1 michael123 michelle michelle1 jennifer jennifer1 jessica1
  jessica123 jonathan anthony1 anthony123 alexander alexander1 alexandra christian christian1
  christopher cristian danielle daniel123 david123 elizabeth elizabeth1 gabriel1 gabriela benjamin
  isabella jasmine1 jordan123 joshua123 justin123 katherine kimberly lauren123 madison1 matthew1
  matthew123 melissa1 nicholas nicole123 patricia rebecca1 samantha samantha1 sebastian spongebob
  stephanie thomas123 valentina veronica victoria victoria1 vanessa1 charlie1 charlie123 ashley123
  amanda123 andrew123 robert123 richard1 william1 jackson1 johnjohn johncena maverick
  superman superman1 superman123 batman123 spiderman spiderman1 ironman123 wolverine captain1
  dragon123 dragonball dragon12 monkey123 monkey12 tigger123 tiger123 lion1234 shadow123 shadow12
  killer123 hunter123 hunter12 ranger123 phoenix1 mustang1 mercedes ferrari1 corvette porsche1
  harley123 yamaha123 hardcore metallica metallica1 slipknot blink182 eminem123 beautiful
  beautiful1 gorgeous handsome awesome1 awesome123 amazing1 fantastic happy123 happiness smile123
  blessed1 blessing jesus123 jesuschrist jesus777 jesusislord godisgood godislove christ123
  heaven123 trinity1 faith123 freedom1 freedom123 liberty1 america1 australia southafrica
  johannesburg capetown pretoria durban123 london123 newyork1 california california1 brooklyn
  diamond1 diamonds platinum silver123 golden123 money123 bigmoney business business1 success1
  success123 family123 familia1 mother123 father123 brother1 sister123 myfamily friends1 friends123
  bestfriend friendship together remember nintendo playstation playstation1 xbox360 counterstrike
  scorpion scorpio1 snoopy123 snowball softball1 stargate sterling sublime1 thunder1 thunderbird
  swordfish marlboro midnight midnight1 mountain november september december october1 february
  asshole1 bullshit fuckyou1 fuckyou2 fuckyou123 fuckoff1 motherfucker biteme123 whoknows
  hello123 hello1234 hello12345 hellohello helloworld hello@123 hi123456 nothing1 anything
  something somebody goodluck goodbye1 blahblah lalalala hahahaha xxxxxxxx zzzzzzzz qqqqqqqq
  a1b2c3d4 a1b2c3d4e5 1a2s3d4f g00gle123 red12345 blue1234 green123 purple123 purple12 yellow123
  black123 white123 pink1234 dolphin1 elephant crystal1 cameron1 scooter1 peanut123 pepper123
  ginger123 buster123 bailey123 molly123 maggie123 cocacola coca-cola pepsi123 jackass1 gangster
  gangsta1 playboy1 iceman123 matrix123 security security1 enter123 qwerty!@# !@#$%^&* 1q2w3e4r!
  1234567q 12345678q q1234567 q12345678 z1234567 s1234567 m1234567 1password mypassw0rd
  music123 musiclover housemusic deephouse amapiano amapiano1 mixtape1 dj123456 spotify1`
    .split(/\s+/)
    .filter(Boolean),
);

/** What people add when a form requires a digit or a symbol. */
const trivialEnding = /[0-9!@#$%&*?.]{1,4}$/;

/** True for a listed password, also with a few digits and symbols at the end: `Password2024!`. */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase();
  return common.has(lower) || common.has(lower.replace(trivialEnding, ''));
}
