import type { Chapter } from '#contract/tracks.ts';
import type { Random } from '#contract/rules/random.ts';
import { shuffle } from '#demo/synth/dsp/random.ts';

/** All invented. */
const ARTISTS =
  `Relay Room; Kasi Voltage; Ma-Relay; Third Avenue Sound; Cold Generator; Phola Static;
  Gogo Sub; The Toll Gate Trio; Mielie Circuit; Auntie Fader; Robot Street Choir;
  Prepaid Orchestra; Bakkie & Trailer; Slip Road; Uncle Decibel; Low Veld Low End; Short Left; Spaza Physics;
  Tin Roof Unit; Eleventh Floor; Borehole; The Queue Marshals; Vetkoek Machine;
  Second Hand Sunday; Windpomp; Airtime; Night Clinic; Harbour Tug 9; Dassie;
  Nana & the Inverter; Platform Six; Hot Plate; Highveld Lightning Club; Sis Resistor;
  Gravel Travel; Plot 44; Dial Tone Dlamini; The Lost Property Office`.split(/;\s+/);

const TITLES =
  `Umlazi Siren; Candle Math; Taxi Rank Choir; Iron Gate; Two Hour Slot; Lights Back On;
  Harbour Wall; Change for a Fifty; Who Has the Aux; Tongs; Pap Before Sauce; Hooter Language;
  Gate Remote; Bring and Share; Dust Road Dub; Left at the Pepper Trees; Plastic Chairs;
  Borrowed Extension Cord; Cooler Box; Sunday Uniform; Rain on Zinc; Two Bars of Signal;
  Zebra Crossing; Hadeda Alarm; Load Limit; Soft Landing, Hard Court; Bus Shelter Blues;
  Yebo Yes; Kitchen Sink Congas; My Cousin Knows a Guy; Full Tank; Half Tank; Reserve Light;
  Vuvuzela Lullaby; Potjie, Three Hours In; Amber Robot; Church Hall Keys; Lost in Centurion;
  Tide Table; Ironing Day; Veranda Minor; Double Adaptor; Please Call Me; Stoep Talk;
  Corrugated; Off-Ramp; Milk Tart Theory; Speed Hump; No Change Given; Sprinkler Rhythm;
  Ceiling Fan; Pool Net; Smoke Signal; Windscreen Vendor; Late Bell; Everybody Knows the Bridge;
  The Long Queue; Tea at Ten; Dry Season; First Gear Only; Balcony Election; Moth Light;
  Koeksister Twist; Cash Only; Mountain Has Its Cloth On; Rearview; Neighbourhood Watch;
  Sand in the Fader`.split(/;\s+/);

const EDITS = ['Edit', 'Dub', 'Late Mix', 'Instrumental', 'Night Version', 'Tape Copy'] as const;

/** A different artist and title for each start. */
export function inventTracklist(
  random: Random,
  starts: readonly number[],
): (Chapter & { at: number })[] {
  const artists = shuffle(random, ARTISTS);
  const titles = shuffle(random, TITLES);
  const edits = shuffle(random, EDITS);
  return starts.map((at, n) => {
    const title = titles[n] ?? '';
    const edit = random() < 0.3 ? ` (${edits[n % edits.length] ?? 'Edit'})` : '';
    return { at, title: title + edit, artist: artists[n] ?? null };
  });
}
